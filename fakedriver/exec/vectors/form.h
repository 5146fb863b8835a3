// SPDX-License-Identifier: Apache-2.0
//
// The forms of every instruction that opcodes.def says is run, and the kernel that carries one of
// them. A form is a short text with %d (and %e) as results and %a, %b, %c as operands; braces hold
// alternatives, $T and $S stand for types. Expanded, each is a variant: what is recorded on a
// device and compared with the machine.
#ifndef FAKEDRIVER_EXEC_VECTORS_FORM_H_
#define FAKEDRIVER_EXEC_VECTORS_FORM_H_

#include <string>
#include <string_view>
#include <vector>

namespace culprit::exec::vectors {

struct Form {
  const char* first;   // types that $T takes
  const char* second;  // types that $S takes, or empty
  const char* body;
  // Types of %d, then of %e after a '+' if the form has it, then of %a, %b and %c, separated by
  // blanks: a PTX type, T, S, W (twice as wide as T), or "shift" (a count that is mostly small).
  const char* operands;
};

struct Variant {
  std::string body;
  std::string d;
  std::string e;  // empty without a second result
  std::vector<std::string> sources;
};

const std::vector<Form>& IntegerForms();
const std::vector<Form>& FloatForms();
const std::vector<Form>& ConversionForms();
const std::vector<Form>& MemoryForms();
const std::vector<Form>& WarpForms();
const std::vector<Form>& VideoForms();
const std::vector<Form>& TypeForms();

// Every form with every type and alternative, in a fixed order.
std::vector<Variant> AllVariants();

// Storage bits of a PTX type as a register holds it: 16, 32 or 64.
unsigned RegisterBits(std::string_view type);

// Kernel "k" (.param .u64 out, a, b, c, slots) for blocks of 128 threads. Thread i reads the 8-byte
// elements i of a, b and c and writes %d and %e to elements 2i and 2i+1 of out. %m is the address
// of 32 bytes of its own in global memory, %n the address of 32 in shared memory.
std::string KernelText(const Variant& variant);

}  // namespace culprit::exec::vectors

#endif  // FAKEDRIVER_EXEC_VECTORS_FORM_H_
