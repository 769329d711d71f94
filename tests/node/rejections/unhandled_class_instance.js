class Reason { constructor() { this.x = 1; } }
Promise.reject(new Reason());
