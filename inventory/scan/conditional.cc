// SPDX-License-Identifier: Apache-2.0
#include "inventory/scan/conditional.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace culprit::inventory {
namespace {

constexpr int kDeepestNesting = 64;

Truth Not(Truth a) {
  if (a == Truth::kUnknown) return a;
  return a == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
}

Truth And(Truth a, Truth b) {
  if (a == Truth::kFalse || b == Truth::kFalse) return Truth::kFalse;
  return a == Truth::kTrue && b == Truth::kTrue ? Truth::kTrue : Truth::kUnknown;
}

bool IsNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Recursive descent over || && ! and primaries. What it does not understand makes the whole
// condition unknown.
class Evaluator {
 public:
  Evaluator(std::string_view text, const KnownMacros& known) : text_(text), known_(known) {}

  Truth Run() {
    const Truth value = Or();
    Skip();
    return at_ == text_.size() && !failed_ ? value : Truth::kUnknown;
  }

 private:
  void Skip() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = text_.size();
      } else if (text_.substr(at_, 2) == "/*") {
        const size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  bool Accept(std::string_view token) {
    Skip();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  std::string_view Name() {
    Skip();
    const size_t begin = at_;
    while (at_ < text_.size() && IsNameCharacter(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Truth Or() {
    Truth value = Conjunction();
    while (Accept("||")) value = Not(And(Not(value), Not(Conjunction())));
    return value;
  }

  Truth Conjunction() {
    Truth value = Unary();
    while (Accept("&&")) value = And(value, Unary());
    return value;
  }

  Truth Unary() {
    if (++depth_ > kDeepestNesting) failed_ = true;
    if (failed_) return Truth::kUnknown;
    const Truth value = Accept("!") ? Not(Unary()) : Primary();
    --depth_;
    return value;
  }

  Truth Primary() {
    if (Accept("(")) {
      const Truth value = Or();
      if (!Accept(")")) failed_ = true;
      return value;
    }
    const std::string_view name = Name();
    if (name.empty()) {
      failed_ = true;
      return Truth::kUnknown;
    }
    if (name == "defined") {
      const bool parenthesised = Accept("(");
      const std::string_view macro = Name();
      if (parenthesised && !Accept(")")) failed_ = true;
      return Defined(macro);
    }
    if (std::isdigit(static_cast<unsigned char>(name[0]))) {
      return std::strtoull(std::string(name).c_str(), nullptr, 0) != 0 ? Truth::kTrue
                                                                       : Truth::kFalse;
    }
    // A name the contract calls undefined is 0 here; of a defined one we do not know the value.
    return known_.undefined.contains(name) ? Truth::kFalse : Truth::kUnknown;
  }

  Truth Defined(std::string_view macro) const {
    if (known_.defined.contains(macro)) return Truth::kTrue;
    return known_.undefined.contains(macro) ? Truth::kFalse : Truth::kUnknown;
  }

  std::string_view text_;
  const KnownMacros& known_;
  size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

Truth EvaluateCondition(std::string_view expression, const KnownMacros& known) {
  return Evaluator(expression, known).Run();
}

void ConditionalStack::Directive(std::string_view name, std::string_view rest) {
  if (name == "if") {
    groups_.push_back({EvaluateCondition(rest, known_), false});
  } else if (name == "ifdef") {
    groups_.push_back({EvaluateCondition("defined " + std::string(rest), known_), false});
  } else if (name == "ifndef") {
    groups_.push_back({EvaluateCondition("!defined " + std::string(rest), known_), false});
  } else if (groups_.empty()) {
    return;
  } else if (name == "elif" || name == "elifdef" || name == "elifndef" || name == "else") {
    Group& group = groups_.back();
    group.taken_surely |= group.branch == Truth::kTrue;
    if (group.taken_surely) {
      group.branch = Truth::kFalse;
    } else if (name == "else") {
      group.branch = Truth::kTrue;
    } else {
      const std::string prefix = name == "elif" ? "" : name == "elifdef" ? "defined " : "!defined ";
      group.branch = EvaluateCondition(prefix + std::string(rest), known_);
    }
  } else if (name == "endif") {
    groups_.pop_back();
  }
}

bool ConditionalStack::dead() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const Group& group) { return group.branch == Truth::kFalse; });
}

}  // namespace culprit::inventory
