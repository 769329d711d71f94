class Custom { constructor() { this.x = 1; } }
throw new Custom();
