# SPDX-License-Identifier: Apache-2.0
"""Just enough of C++ to find a call, the statement and the function that it stands in.

Offsets are those of the file: comments, literals and preprocessor lines are blanked, not cut out.
"""
import re

_NOT_CODE = re.compile(r'^[ \t]*#[^\n]*|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S | re.M)
_SCOPE = re.compile(r'^\s*(?:inline\s+)?(?:namespace|class|struct|union|enum|extern)\b')
_CLOSING = {")": "(", "]": "[", "}": "{"}


def blanked(text):
    """`text` with comments, literals and preprocessor lines as blanks; line ends stay."""
    return _NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


class Source:
    """One file. `code` is what is searched, `text` what is changed."""

    def __init__(self, text):
        self.text = text
        self.code = blanked(text)
        self._partner = self._pair_brackets()
        self.functions = self._find_functions()  # (name, start of the body, end of the body)

    def _pair_brackets(self):
        partner, opened = {}, []
        for at, char in enumerate(self.code):
            if char in "([{":
                opened.append(at)
            elif char in _CLOSING and opened and self.code[opened[-1]] == _CLOSING[char]:
                partner[at] = opened.pop()
                partner[partner[at]] = at
        return partner

    def _find_functions(self):
        found, at = [], 0
        while (at := self.code.find("{", at)) >= 0 and at in self._partner:
            head = re.split(r"[;{}]", self.code[:at])[-1]
            if _SCOPE.match(head.lstrip()):
                at += 1
                continue
            name = re.search(r"([\w:~]+)\s*\(|(\w+)(?:\[\])?\s*=", head)
            if name:
                found.append((name.group(1) or name.group(2), at, self._partner[at]))
            at = self._partner[at]
        return found

    def function_at(self, at):
        """(name, start, end) of the function that holds the offset, or None."""
        return next((one for one in self.functions if one[1] < at < one[2]), None)

    def start_of_expression(self, name_at):
        """Where the call whose function's name starts at `name_at` begins: its objects, `a->b().` and the like, belong to it."""
        at = name_at
        while True:
            if self.code[:at].endswith("->"):
                at -= 2
            elif at > 0 and self.code[at - 1] == ".":
                at -= 1
            else:
                return at
            if at > 0 and self.code[at - 1] in ")]":
                at = self._partner[at - 1]
            while at > 0 and (self.code[at - 1].isalnum() or self.code[at - 1] == "_"):
                at -= 1

    def end_of_call(self, parenthesis_at):
        """One past the call whose opening parenthesis this is."""
        return self._partner[parenthesis_at] + 1

    def statement_around(self, start):
        """(start, end) of the innermost statement that holds the offset, its control header included."""
        begin = start
        while self.code[begin - 1] not in ";{}":
            begin -= 1
            if self.code[begin] in ")]":
                begin = self._partner[begin]
        while self.code[begin].isspace():
            begin += 1
        end = start
        while self.code[end] != ";":
            end = self._partner[end] + 1 if self.code[end] in "([{" else end + 1
        return begin, end + 1

    def line(self, at):
        return self.code.count("\n", 0, at) + 1
