"""The generative grammar: symbols, attributes, rules with constraints, their text form, what they produce."""

from unrender.grammar.attribute import Attribute, Role
from unrender.grammar.expression import Expression
from unrender.grammar.grammar import Grammar
from unrender.grammar.production import Production
from unrender.grammar.rule import Part, Rule, RuleKind
from unrender.grammar.symbol import Symbol

__all__ = ["Attribute", "Expression", "Grammar", "Part", "Production", "Role", "Rule", "RuleKind", "Symbol"]
