int nothing_here(void) { return 0; } /* culprit: allow(raw-teardown): it was here once, want: unused-suppression */
