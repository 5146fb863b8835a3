// SPDX-License-Identifier: Apache-2.0
#include "fakedriver/exec/vectors/form.h"

#include <sstream>

namespace culprit::exec::vectors {
namespace {

std::vector<std::string> Words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

void Replace(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// The first brace group of `text`, each alternative in turn.
void ForEachAlternative(const std::string& text, std::vector<std::string>& out) {
  const size_t open = text.find("{{");
  if (open == std::string::npos) {
    out.push_back(text);
    return;
  }
  const size_t close = text.find("}}", open);
  const std::string choices = text.substr(open + 2, close - open - 2);
  for (size_t begin = 0; begin <= choices.size();) {
    const size_t end = std::min(choices.find('|', begin), choices.size());
    ForEachAlternative(
        text.substr(0, open) + choices.substr(begin, end - begin) + text.substr(close + 2), out);
    begin = end + 1;
  }
}

unsigned TypeBits(std::string_view type) {
  if (type == "f16x2" || type == "bf16x2" || type == "u16x2" || type == "s16x2" || type == "tf32")
    return 32;
  if (type == "f32x2") return 64;
  if (type == "e4m3x2" || type == "e5m2x2") return 16;
  if (type == "shift" || type == "few") return 32;
  return static_cast<unsigned>(
      std::stoul(std::string(type.substr(type.find_first_of("0123456789")))));
}

std::string Twice(std::string_view type) {
  return std::string(1, type[0]) + std::to_string(2 * TypeBits(type));
}

Variant MakeVariant(const Form& form, const std::string& body, const std::string& first,
                    const std::string& second) {
  auto resolve = [&](const std::string& word) {
    if (word == "T") return first;
    if (word == "S") return second;
    if (word == "W") return Twice(first);
    return word;
  };
  Variant variant;
  variant.body = body;
  Replace(variant.body, "$T", first);
  Replace(variant.body, "$S", second);
  // Bits of a type, for untyped moves.
  if (!first.empty()) Replace(variant.body, "$N", std::to_string(RegisterBits(first)));
  std::vector<std::string> words = Words(form.operands);
  const size_t plus = words[0].find('+');
  variant.d = resolve(words[0].substr(0, plus));
  if (plus != std::string::npos) variant.e = resolve(words[0].substr(plus + 1));
  for (size_t n = 1; n < words.size(); ++n) variant.sources.push_back(resolve(words[n]));
  return variant;
}

}  // namespace

unsigned RegisterBits(std::string_view type) { return std::max(16u, TypeBits(type)); }

std::vector<Variant> AllVariants() {
  std::vector<Variant> variants;
  for (const std::vector<Form>* forms :
       {&IntegerForms(), &FloatForms(), &ConversionForms(), &MemoryForms(), &WarpForms(),
        &VideoForms(), &TypeForms()}) {
    for (const Form& form : *forms) {
      std::vector<std::string> bodies;
      ForEachAlternative(form.body, bodies);
      std::vector<std::string> firsts = Words(form.first);
      std::vector<std::string> seconds = Words(form.second);
      if (firsts.empty()) firsts.emplace_back();
      if (seconds.empty()) seconds.emplace_back();
      for (const std::string& body : bodies) {
        for (const std::string& first : firsts) {
          for (const std::string& second : seconds)
            variants.push_back(MakeVariant(form, body, first, second));
        }
      }
    }
  }
  return variants;
}

std::string KernelText(const Variant& variant) {
  std::ostringstream out;
  auto declare = [&](const char* name, const std::string& type) {
    out << ".reg .b" << RegisterBits(type) << " " << name << ";\n";
  };
  out << ".version 8.8\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b, .param .u64 c, .param "
         ".u64 slots) {\n"
         ".reg .b32 %i, %t<4>, %n, %x<8>;\n.reg .b64 %p, %m, %g, %y<8>;\n.reg .b16 %z<4>;\n.reg "
         ".pred %q<4>;\n"
         ".shared .align 32 .b8 shared_slots[4096];\n.local .align 32 .b8 local_slot[32];\n";
  declare("%d", variant.d);
  if (!variant.e.empty()) declare("%e", variant.e);
  out << "mov.u32 %t0, %ctaid.x; mov.u32 %t1, %tid.x; mad.lo.u32 %i, %t0, 128, %t1;\n"
         "ld.param.u64 %m, [slots]; mad.wide.u32 %m, %i, 32, %m;\n"
         "mov.u32 %n, shared_slots; mad.lo.u32 %n, %t1, 32, %n;\n"
         "cvt.u64.u32 %g, %n; cvta.shared.u64 %g, %g;\n";
  const char* const names[] = {"%a", "%b", "%c"};
  const char* const parameters[] = {"a", "b", "c"};
  for (size_t n = 0; n < variant.sources.size(); ++n) {
    declare(names[n], variant.sources[n]);
    out << "ld.param.u64 %p, [" << parameters[n] << "]; mad.wide.u32 %p, %i, 8, %p; ld.global.b"
        << RegisterBits(variant.sources[n]) << " " << names[n] << ", [%p];\n";
  }
  out << variant.body << "\nld.param.u64 %p, [out]; mad.wide.u32 %p, %i, 16, %p;\nst.global.b"
      << RegisterBits(variant.d) << " [%p], %d;\n";
  if (!variant.e.empty()) out << "st.global.b" << RegisterBits(variant.e) << " [%p+8], %e;\n";
  out << "ret;\n}\n";
  return out.str();
}

}  // namespace culprit::exec::vectors
