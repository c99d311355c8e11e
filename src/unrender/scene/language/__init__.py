"""A scene in English: nouns, adjectives, prepositions and whole sentences."""
