"""The image model: noise, texture, background, and the regions of a picture."""
