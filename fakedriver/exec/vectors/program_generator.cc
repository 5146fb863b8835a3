// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/vectors/program_generator.h"

#include <sstream>
#include <vector>

#include "fakedriver/exec/vectors/inputs.h"

namespace culprit::exec::vectors {
namespace {

class Generator {
 public:
  explicit Generator(uint64_t seed) : state_(Mix(seed + 0x9e3779b97f4a7c15)) {}

  std::string Program();

 private:
  uint64_t Random() { return Mix(state_ += 0x9e3779b97f4a7c15); }
  unsigned Below(unsigned bound) { return static_cast<unsigned>((Random() >> 16) % bound); }
  std::string Pick(const std::vector<const char*>& words) {
    return words[Below(static_cast<unsigned>(words.size()))];
  }
  std::string R() { return "%r" + std::to_string(Below(8)); }
  std::string L() { return "%l" + std::to_string(Below(4)); }
  std::string F() { return "%f" + std::to_string(Below(4)); }
  std::string D() { return "%w" + std::to_string(Below(2)); }
  std::string P() { return "%p" + std::to_string(Below(4)); }
  std::string Source() {
    return Below(5) == 0 ? std::to_string(static_cast<int32_t>(Random() >> (32 + Below(30)))) : R();
  }
  std::string Label() { return "L" + std::to_string(labels_++); }
  void Line(const std::string& text) { out_ << text << "\n"; }

  void Integer();
  void Wide();
  void Single();
  void Double();
  void Predicate();
  void Local();
  void Simple();
  void If(unsigned depth);
  void Loop(unsigned depth);
  void Switch(unsigned depth);
  void Call();
  void Shared();
  void Warp();
  void Counter();
  void Statements(unsigned count, unsigned depth);
  void Function(const char* name);
  void Results();

  uint64_t state_;
  std::ostringstream out_;
  unsigned labels_ = 0;
};

void Generator::Integer() {
  switch (Below(10)) {
    case 0:
      return Line("mad.lo.s32 " + R() + ", " + R() + ", " + Source() + ", " + R() + ";");
    case 1:
      return Line(Pick({"shl.b32 ", "shr.u32 ", "shr.s32 "}) + R() + ", " + R() + ", " +
                  std::to_string(Below(34)) + ";");
    case 2:
      return Line("shf." + Pick({"l", "r"}) + "." + Pick({"wrap", "clamp"}) + ".b32 " + R() + ", " +
                  R() + ", " + R() + ", " + R() + ";");
    case 3:
      return Line("lop3.b32 " + R() + ", " + R() + ", " + R() + ", " + R() + ", " +
                  std::to_string(Below(256)) + ";");
    case 4:
      return Line("prmt.b32 " + R() + ", " + R() + ", " + R() + ", " +
                  std::to_string(Below(0x10000)) + ";");
    case 5:
      return Line(Pick({"popc.b32 ", "clz.b32 ", "brev.b32 ", "not.b32 ", "abs.s32 ", "neg.s32 "}) +
                  R() + ", " + R() + ";");
    case 6:
      return Line("bfe." + Pick({"u32 ", "s32 "}) + R() + ", " + R() + ", " +
                  std::to_string(Below(33)) + ", " + std::to_string(Below(33)) + ";");
    case 7: {
      // Division by zero is left open by the PTX ISA.
      const std::string divisor = R();
      Line("or.b32 %s0, " + divisor + ", 1;");
      return Line(Pick({"div.u32 ", "rem.u32 ", "div.s32 ", "rem.s32 "}) + R() + ", " + R() +
                  ", %s0;");
    }
    case 8:
      Line("add.cc.u32 " + R() + ", " + R() + ", " + R() + ";");
      return Line("addc.u32 " + R() + ", " + R() + ", " + Source() + ";");
    default:
      return Line(Pick({"add.s32 ", "sub.s32 ", "mul.lo.u32 ", "mul.hi.u32 ", "mul.hi.s32 ",
                        "min.s32 ", "max.u32 ", "and.b32 ", "or.b32 ", "xor.b32 "}) +
                  R() + ", " + R() + ", " + Source() + ";");
  }
}

void Generator::Wide() {
  switch (Below(4)) {
    case 0:
      return Line("mul.wide." + Pick({"u32 ", "s32 "}) + L() + ", " + R() + ", " + R() + ";");
    case 1:
      return Line("cvt.u32.u64 " + R() + ", " + L() + ";");
    case 2:
      return Line(Pick({"shl.b64 ", "shr.u64 ", "shr.s64 "}) + L() + ", " + L() + ", " +
                  std::to_string(Below(66)) + ";");
    default:
      return Line(Pick({"add.s64 ", "sub.s64 ", "mul.lo.s64 ", "mul.hi.u64 ", "xor.b64 ",
                        "min.s64 ", "max.u64 "}) +
                  L() + ", " + L() + ", " + L() + ";");
  }
}

void Generator::Single() {
  switch (Below(6)) {
    case 0:
      return Line("cvt.rn.f32." + Pick({"s32 ", "u32 "}) + F() + ", " + R() + ";");
    case 1:
      return Line("cvt." + Pick({"rzi", "rni", "rmi", "rpi"}) + Pick({".s32", ".u32"}) + ".f32 " +
                  R() + ", " + F() + ";");
    case 2:
      return Line("fma." + Pick({"rn", "rz", "rm", "rp"}) +
                  Pick({".f32 ", ".ftz.f32 ", ".sat.f32 "}) + F() + ", " + F() + ", " + F() + ", " +
                  F() + ";");
    case 3:
      return Line(Pick({"div.rn.f32 ", "min.f32 ", "max.f32 "}) + F() + ", " + F() + ", " + F() +
                  ";");
    case 4:
      return Line(Pick({"sqrt.rn.f32 ", "abs.f32 ", "neg.f32 ", "rcp.rn.f32 "}) + F() + ", " + F() +
                  ";");
    default:
      return Line(Pick({"add", "sub", "mul"}) + "." + Pick({"rn", "rz", "rm", "rp"}) +
                  Pick({".f32 ", ".ftz.f32 "}) + F() + ", " + F() + ", " + F() + ";");
  }
}

void Generator::Double() {
  switch (Below(4)) {
    case 0:
      return Line("cvt.rn.f64.s32 " + D() + ", " + R() + ";");
    case 1:
      return Line("cvt.rn.f32.f64 " + F() + ", " + D() + ";");
    case 2:
      return Line("fma.rn.f64 " + D() + ", " + D() + ", " + D() + ", " + D() + ";");
    default:
      return Line(Pick({"add.rn.f64 ", "sub.rn.f64 ", "mul.rn.f64 "}) + D() + ", " + D() + ", " +
                  D() + ";");
  }
}

void Generator::Predicate() {
  switch (Below(4)) {
    case 0:
      return Line("setp." + Pick({"lt", "le", "gt", "ge", "equ", "ne", "num"}) + ".f32 " + P() +
                  ", " + F() + ", " + F() + ";");
    case 1:
      return Line(Pick({"and.pred ", "or.pred ", "xor.pred "}) + P() + ", " + P() + ", " + P() +
                  ";");
    case 2:
      return Line("selp.b32 " + R() + ", " + R() + ", " + Source() + ", " + P() + ";");
    default:
      return Line("setp." + Pick({"lt", "le", "gt", "ge", "eq", "ne"}) + Pick({".s32 ", ".u32 "}) +
                  P() + ", " + R() + ", " + Source() + ";");
  }
}

void Generator::Local() {
  Line("and.b32 %s0, " + R() +
       ", 7; shl.b32 %s0, %s0, 2; mov.u32 %s1, scratch; add.u32 %s1, %s1, %s0;");
  Line(Below(2) == 0 ? "st.local.u32 [%s1], " + R() + ";" : "ld.local.u32 " + R() + ", [%s1];");
}

void Generator::Simple() {
  if (Below(8) == 0) out_ << "@" << Pick({"", "!"}) << P() << " ";
  switch (Below(8)) {
    case 0:
    case 1:
      return Line(Pick({"add.s32 ", "xor.b32 ", "mul.lo.u32 ", "sub.s32 "}) + R() + ", " + R() +
                  ", " + Source() + ";");
    case 2:
      return Wide();
    case 3:
      return Single();
    case 4:
      return Double();
    default:
      return Line(Pick({"min.s32 ", "max.s32 ", "and.b32 "}) + R() + ", " + R() + ", " + R() + ";");
  }
}

void Generator::If(unsigned depth) {
  const std::string other = Label();
  const std::string end = Label();
  Predicate();
  Line("@" + Pick({"", "!"}) + P() + " bra " + other + ";");
  Statements(2 + Below(4), depth + 1);
  if (Below(3) != 0) {
    Line("bra " + end + ";\n" + other + ":");
    Statements(1 + Below(4), depth + 1);
    Line(end + ":");
  } else {
    Line(other + ":\n" + end + ":");
  }
}

// The number of rounds differs from lane to lane; one in three loops can also be left in the
// middle.
void Generator::Loop(unsigned depth) {
  const std::string begin = Label();
  const std::string end = Label();
  const std::string counter = "%k" + std::to_string(depth);
  Line("and.b32 " + counter + ", " + R() + ", " + Pick({"3", "5", "7"}) + ";\n" + begin + ":");
  Statements(1 + Below(3), depth + 1);
  if (Below(3) == 0) {
    Predicate();
    Line("@" + P() + " bra " + end + ";");
  }
  Statements(1 + Below(2), depth + 1);
  Line("sub.s32 " + counter + ", " + counter + ", 1; setp.ge.s32 %q, " + counter + ", 0; @%q bra " +
       begin + ";\n" + end + ":");
}

void Generator::Switch(unsigned depth) {
  const std::string list = Label();
  const std::string end = Label();
  std::vector<std::string> cases;
  for (unsigned n = 0; n < 4; ++n) cases.push_back(Label());
  Line("and.b32 %s0, " + R() + ", 3;\n" + list + ": .branchtargets " + cases[0] + ", " + cases[1] +
       ", " + cases[2] + ", " + cases[3] + ";\nbrx.idx %s0, " + list + ";");
  for (const std::string& label : cases) {
    Line(label + ":");
    Statements(1 + Below(2), depth + 1);
    if (Below(4) != 0) Line("bra " + end + ";");
  }
  Line(end + ":");
}

void Generator::Call() {
  Line("{ .param .b32 a0; .param .b32 a1; .param .b32 r0; st.param.b32 [a0], " + R() +
       "; st.param.b32 [a1], " + R() + "; call (r0), " + Pick({"first", "second"}) +
       ", (a0, a1); ld.param.b32 " + R() + ", [r0]; }");
}

void Generator::Shared() {
  Line("st.shared.u32 [%own], " + R() + "; bar.sync 0; ld.shared.u32 " + R() +
       ", [%other]; bar.sync 0;");
}

void Generator::Warp() {
  switch (Below(4)) {
    case 0:
      return Line("shfl.sync." + Pick({"up", "down", "bfly", "idx"}) + ".b32 " + R() + ", " + R() +
                  ", " + std::to_string(Below(32)) + ", " +
                  Pick({"0x1f", "0", "0x181f", "0x1c1f"}) + ", -1;");
    case 1:
      return Line("vote.sync.ballot.b32 " + R() + ", " + P() + ", -1;");
    case 2:
      return Line("vote.sync." + Pick({"any", "all", "uni"}) + ".pred " + P() + ", " + P() +
                  ", -1;");
    default:
      return Line("redux.sync." + Pick({"add.s32 ", "min.u32 ", "xor.b32 "}) + R() + ", " + R() +
                  ", -1;");
  }
}

// One operation for each counter, or the order of threads would show.
void Generator::Counter() {
  static constexpr const char* kOperations[] = {"add.u32", "xor.b32", "max.s32", "min.u32"};
  const unsigned counter = Below(kProgramCounters);
  Line(std::string("red.global.") + kOperations[counter % 4] + " [%counters+" +
       std::to_string(8 * counter) + "], " + R() + ";");
}

void Generator::Statements(unsigned count, unsigned depth) {
  for (unsigned n = 0; n < count; ++n) {
    const unsigned kind = Below(24);
    if (kind < 7) {
      Integer();
    } else if (kind < 9) {
      Wide();
    } else if (kind < 12) {
      Single();
    } else if (kind < 13) {
      Double();
    } else if (kind < 15) {
      Predicate();
    } else if (kind < 16) {
      Local();
    } else if (kind < 17) {
      Simple();
    } else if (kind < 18) {
      Call();
    } else if (kind < 22 && depth < 4) {
      kind == 18 ? Loop(depth) : kind == 19 ? Switch(depth) : If(depth);
    } else if (depth == 0) {
      kind == 22 ? Shared() : Warp();
    }
  }
}

void Generator::Function(const char* name) {
  const std::string skip = Label();
  Line(std::string(".func (.param .b32 r0) ") + name + "(.param .b32 a0, .param .b32 a1) {");
  Line(
      ".reg .b32 %r<8>, %s<2>; .reg .pred %p<4>;\nld.param.b32 %r0, [a0]; ld.param.b32 %r1, [a1];");
  for (int n = 2; n < 8; ++n)
    Line("add.u32 %r" + std::to_string(n) + ", %r" + std::to_string(n - 2) + ", 77;");
  Integer();
  Integer();
  Line("setp.lt.s32 %p0, %r0, %r3; @%p0 bra " + skip + ";");
  Integer();
  Integer();
  Line(skip + ":");
  Integer();
  Line("xor.b32 %r0, %r0, " + R() + "; st.param.b32 [r0], %r0; ret;\n}");
}

// All registers, mixed into two words; a NaN of double precision counts as such, whatever its
// payload.
void Generator::Results() {
  Line("mov.u64 %x, 0; mov.u64 %y, 1;");
  auto add = [&](const std::string& word) {
    Line("mad.lo.u64 %x, %x, 6364136223846793005, " + word + ";");
  };
  for (int n = 0; n < 8; ++n) {
    Line("cvt.u64.u32 %t, %r" + std::to_string(n) + ";");
    add("%t");
  }
  for (int n = 0; n < 4; ++n) add("%l" + std::to_string(n));
  Line("mad.lo.u64 %y, %y, 3, %x;");
  for (int n = 0; n < 4; ++n) {
    Line("mov.b32 %s0, %f" + std::to_string(n) + "; cvt.u64.u32 %t, %s0;");
    add("%t");
  }
  for (int n = 0; n < 2; ++n) {
    const std::string w = "%w" + std::to_string(n);
    Line("testp.notanumber.f64 %q, " + w + "; mov.b64 %t, " + w + "; selp.b64 %t, 7, %t, %q;");
    add("%t");
  }
  for (int n = 0; n < 4; ++n) {
    Line("selp.b64 %t, 1, 0, %p" + std::to_string(n) + ";");
    add("%t");
  }
  Line("mad.wide.u32 %t, %i, 16, %out; st.global.v2.u64 [%t], {%x, %y};");
}

std::string Generator::Program() {
  Line(".version 8.0\n.target sm_80\n.address_size 64");
  Function("first");
  Function("second");
  Line(
      ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
      ".reg .b32 %r<8>, %s<4>, %k<8>, %i, %own, %other; .reg .b64 %l<4>, %x, %y, %t, %out, "
      "%counters; .reg .f32 %f<4>;\n"
      ".reg .f64 %w<2>; .reg .pred %p<4>, %q; .local .align 4 .b8 scratch[32]; .shared .align 4 "
      ".b8 exchange[1024];");
  const std::string threads = std::to_string(kProgramThreads);
  Line("mov.u32 %s0, %ctaid.x; mov.u32 %s1, %tid.x; mad.lo.u32 %i, %s0, " + threads +
       ", %s1;\n"
       "mov.u32 %s2, exchange; mad.lo.u32 %own, %s1, 4, %s2; add.u32 %s3, %s1, " +
       std::to_string(1 + Below(95)) + "; rem.u32 %s3, %s3, " + threads +
       "; mad.lo.u32 %other, %s3, 4, %s2;");
  Line("ld.param.u64 %out, [out]; add.u64 %counters, %out, " +
       std::to_string(16 * kProgramThreads * kProgramBlocks) +
       ";\nld.param.u64 %t, [in]; mad.wide.u32 %t, %i, 8, %t; ld.global.u64 %l0, [%t];");
  Line(
      "mov.b64 {%r0, %r1}, %l0; mov.u32 %r2, %tid.x; mov.u32 %r3, %laneid; xor.b32 %r4, %r0, %r1; "
      "add.u32 %r5, %r4, %r2; "
      "mov.u32 %r6, " +
      std::to_string(Below(1000)) + "; mul.lo.u32 %r7, %r1, %r2;");
  for (int n = 1; n < 4; ++n)
    Line("mul.wide.u32 %l" + std::to_string(n) + ", %r" + std::to_string(n) + ", %r" +
         std::to_string(n + 3) + ";");
  for (int n = 0; n < 4; ++n)
    Line("cvt.rn.f32.s32 %f" + std::to_string(n) + ", %r" + std::to_string(2 * n + 1) + ";");
  Line("cvt.rn.f64.s32 %w0, %r0; cvt.rn.f64.u32 %w1, %r5;");
  for (int n = 0; n < 4; ++n)
    Line("setp.lt.u32 %p" + std::to_string(n) + ", %r" + std::to_string(n) + ", %r" +
         std::to_string(n + 4) + ";");
  for (int n = 0; n < 8; ++n)
    Line("st.local.u32 [scratch+" + std::to_string(4 * n) + "], %r" + std::to_string(n) + ";");
  Statements(16 + Below(24), 0);
  Counter();
  Statements(6, 0);
  Counter();
  Results();
  Line("ret;\n}");
  return out_.str();
}

}  // namespace

std::string GenerateProgram(uint64_t seed) { return Generator(seed).Program(); }

}  // namespace culprit::exec::vectors
