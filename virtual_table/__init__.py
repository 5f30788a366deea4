"""One simulated world in millimetres, and the virtual readers, camera, players and dealer that live in it."""
