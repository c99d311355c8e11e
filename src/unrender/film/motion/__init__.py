"""Every motion told as simply as it can be, in bits. Read `motion.py` first."""
