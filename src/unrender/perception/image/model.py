"""The image model: noise, background and edges of one picture, estimated once."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from unrender.perception.image.background import estimate_background
from unrender.perception.image.noise import estimate_noise
from unrender.perception.image.texture import Texture, estimate_texture
from unrender.render.coverage import Floats

Mask = NDArray[np.bool_]

FINEST = 0.5 / 255  # noise that no picture of 8 bits a channel is below
EDGE_ERROR = 0.05  # of coverage at edges: how much renderers differ from one another


@dataclass(frozen=True, eq=False)
class ImageModel:
    """How a picture comes about: background, shapes, and what is added to every pixel."""

    image: Floats  # (H, W, 3) in 0..1
    background: Floats  # (H, W, 3)
    sigma: float  # standard deviation of the noise of a channel
    edge_error: float = EDGE_ERROR  # standard deviation of the coverage at edges
    sharpness: float = 1.0  # of edges: 1 if they are antialiased
    texture: Texture = field(
        default_factory=lambda: np.zeros((0, 3))
    )  # how noise goes on from pixel to pixel
    fresh: float = 0.0  # standard deviation of what is new in every pixel, if there is texture

    @property
    def cap(self) -> float:
        """Bits of a pixel that could have any colour, more than of one that is as drawn."""
        return max(3 * math.log2(1 / (self.fresh * math.sqrt(2 * math.pi))), 1.0)

    @classmethod
    def of(cls, image: Floats) -> ImageModel:
        sigma = max(estimate_noise(image), FINEST)
        background = estimate_background(image, sigma)
        texture, fresh = estimate_texture(image, background, sigma)
        return cls(image, background, sigma, texture=texture, fresh=fresh)

    def without(self, covered: Mask) -> ImageModel:
        """The same picture with its background estimated from the pixels that nothing covers (H, W)."""
        if (self.background == self.background[:1, :1]).all():
            return self  # one colour, which few pixels do not change
        background = estimate_background(self.image, self.sigma, covered)
        texture, fresh = estimate_texture(self.image, background, self.sigma)
        return replace(self, background=background, texture=texture, fresh=fresh)

    @property
    def size(self) -> tuple[int, int]:
        """Height and width, px."""
        return self.image.shape[0], self.image.shape[1]
