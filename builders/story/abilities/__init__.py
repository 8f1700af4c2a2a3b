"""Questions of many kinds about one story: each kind in a file of its own, drawn so that no shortcut answers it."""
