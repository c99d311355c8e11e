"""The API as a page to read, made from its OpenAPI description alone: nothing is fetched from elsewhere."""

from __future__ import annotations

import json
from html import escape
from typing import Any

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 860px; margin: 2rem auto; padding: 0 1rem;
  color-scheme: light dark; }
section { border-top: 1px solid #8884; padding: .6rem 0; }
h2 { font-size: 1.05rem; margin: .3rem 0; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow: auto; background: #8881; padding: .6rem; border-radius: 6px; }
.verb { display: inline-block; min-width: 3.4rem; color: #4f5bd5; font-weight: 700; }
"""


def page(description: dict[str, Any]) -> str:
    """HTML of an OpenAPI description: every operation, then every type."""
    operations = [
        _operation(path, verb, own)
        for path, verbs in description["paths"].items()
        for verb, own in verbs.items()
    ]
    types = [_type(name, own) for name, own in description["components"]["schemas"].items()]
    title = escape(description["info"]["title"])
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body><h1>{title}: the API</h1>"
        '<p>The same as <a href="/openapi.json">OpenAPI</a>, for other programs.</p>'
        f"{''.join(operations)}<h1>Types</h1>{''.join(types)}</body></html>"
    )


def _operation(path: str, verb: str, own: dict[str, Any]) -> str:
    takes = own.get("requestBody", {}).get("content", {})
    gives = own.get("responses", {}).get("200", {}).get("content", {})
    names = [parameter["name"] for parameter in own.get("parameters", [])]
    lines = [
        f'<section><h2><span class="verb">{escape(verb.upper())}</span> <code>{escape(path)}</code></h2>',
        f"<p>{escape(own.get('description', own.get('summary', '')))}</p>",
        f"<p>Parameters: <code>{escape(', '.join(names))}</code></p>" if names else "",
        f"<p>Takes {_contents(takes)}</p>" if takes else "",
        f"<p>Gives {_contents(gives)}</p>" if gives else "",
    ]
    return "".join(lines) + "</section>"


def _contents(contents: dict[str, Any]) -> str:
    told = []
    for kind, content in contents.items():
        name = content.get("schema", {}).get("$ref", "").rsplit("/", 1)[-1]
        told.append(f'<a href="#{escape(name)}">{escape(name)}</a>' if name else escape(kind))
    return " or ".join(told)


def _type(name: str, own: dict[str, Any]) -> str:
    text = escape(json.dumps(own.get("properties", {}), indent=1))
    heading = f"<h2>{escape(name)}</h2><p>{escape(own.get('description', ''))}</p>"
    return f'<section id="{escape(name)}">{heading}<pre>{text}</pre></section>'
