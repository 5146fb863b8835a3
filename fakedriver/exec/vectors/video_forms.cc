// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/vectors/form.h"

namespace culprit::exec::vectors {

const std::vector<Form>& VideoForms() {
  static const std::vector<Form> forms{
      {"u32 s32", "u32 s32",
       "{{vadd|vsub|vabsdiff|vmin|vmax}}.$T.$S.{{u32|s32}}{{|.sat}} %d, %a, %b;", "T S b32"},
      {"u32 s32", "u32 s32",
       "{{vadd|vsub|vabsdiff|vmin|vmax}}.$T.$S.$S{{|.sat}} %d, {{%a.b0, %b.b3|%a.h1, %b.h0|%a.b2, "
       "%b}};",
       "T S b32"},
      {"u32 s32", "u32 s32",
       "{{vadd|vsub|vabsdiff|vmin|vmax}}.$T.$S.$S{{|.sat}}{{.add|.min|.max}} %d, %a, %b, %c;",
       "T S b32 T"},
      {"u32 s32", "", "{{vadd|vmax}}.$T.$T.$T{{|.sat}} %d{{.b1|.h0}}, %a, %b, %c;", "T T T T"},
      {"u32 s32", "u32 s32", "{{vshl|vshr}}.$T.$S.u32{{|.sat}}{{.clamp|.wrap}} %d, %a, %b;",
       "T S shift"},
      {"u32 s32", "u32 s32", "{{vshl|vshr}}.$T.$S.u32.wrap.{{add|max}} %d, %a.h0, %b, %c;",
       "T S shift T"},
      {"u32 s32", "u32 s32", "vset.$T.$S.{{eq|ne|lt|le|gt|ge}} %d, %a, %b;", "b32 T S"},
      {"u32 s32", "", "vset.$T.$T.{{lt|ge}}.{{add|min|max}} %d, %a.b0, %b.h1, %c;", "b32 T T b32"},
      {"u32 s32", "u32 s32", "vmad.$T.$S.$S{{|.sat}}{{|.shr7|.shr15}} %d, %a, %b, %c;", "T S S T"},
      {"u32 s32", "u32 s32", "vmad.$T.$S.$S{{|.shr7}} %d, {{|-}}%a.h1, %b.b2, %c;", "T S S T"},
      {"s32", "", "vmad.$T.$T.$T{{|.sat}} %d, {{%a, -%b, %c|%a, %b, -%c}};", "T T T T"},
      {"u32 s32", "", "vmad.$T.$T.$T.po{{|.sat}}{{|.shr7|.shr15}} %d, %a.h0, %b.h1, %c;",
       "T T T T"},
      {"u32 s32", "u32 s32",
       "{{vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2}}.$T.$S.$S{{|.sat|.add}} %d, %a, %b, %c;",
       "T S S T"},
      {"u32 s32", "u32 s32",
       "{{vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4}}.$T.$S.$S{{|.sat|.add}} %d, %a, %b, %c;",
       "T S S T"},
      {"u32 s32", "u32 s32",
       "{{vadd2|vsub2|vmin2}}.$T.$S.$S %d{{.h0|.h1}}, %a{{.h10|.h23|.h02}}, %b, %c;", "T S S T"},
      {"u32 s32", "u32 s32",
       "{{vadd4|vabsdiff4}}.$T.$S.$S %d{{.b0|.b31|.b210}}, %a{{.b0123|.b7531}}, %b, %c;",
       "T S S T"},
      {"u32 s32", "u32 s32", "{{vset2|vset4}}.$T.$S.{{eq|ne|lt|le|gt|ge}}{{|.add}} %d, %a, %b, %c;",
       "b32 T S b32"},
  };
  return forms;
}

}  // namespace culprit::exec::vectors
