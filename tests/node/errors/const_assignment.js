const fixed = 1;
fixed = 2;
