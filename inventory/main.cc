// SPDX-License-Identifier: Apache-2.0
#include "inventory/command.h"

int main(int argc, char** argv) { return culprit::inventory::RunInventory(argc, argv); }
