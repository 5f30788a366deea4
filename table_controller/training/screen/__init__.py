"""The training as a full-screen application on the console's canvas and colours."""
