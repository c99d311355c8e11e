"""One file per primitive; every module in this folder is registered on first use."""
