"""Following objects from one frame of a video to the next."""
