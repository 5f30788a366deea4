"""The kinds of questions: what each makes of a moment. A kind that finds nothing to ask there makes nothing."""
