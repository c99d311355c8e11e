"""draw: coverage and compositing, the only code that makes pixels of shapes."""
