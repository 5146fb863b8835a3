// SPDX-License-Identifier: Apache-2.0
#include "stress/command.h"

int main(int argc, char** argv) { return culprit::stress::RunStress(argc, argv); }
