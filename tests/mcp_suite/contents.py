"""Texts, a picture and a sound, in the forms that the suite expects."""

import base64

from mcp_types import AudioContent, EmbeddedResource, ImageContent, TextContent, TextResourceContents

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
"""One red pixel."""
WAV = b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\0\0\0\0"
"""A sound of no length: 8 kHz, 16 bits, one channel."""


def text(words):
    return TextContent(type="text", text=words)


def image():
    return ImageContent(type="image", data=base64.b64encode(PNG).decode(), mime_type="image/png")


def audio():
    return AudioContent(type="audio", data=base64.b64encode(WAV).decode(), mime_type="audio/wav")


def embedded(uri, words, mime_type="text/plain"):
    contents = TextResourceContents(uri=uri, mime_type=mime_type, text=words)
    return EmbeddedResource(type="resource", resource=contents)
