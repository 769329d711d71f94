class CustomError extends Error {
  constructor(message) {
    super(message);
    this.name = 'CustomError';
    this.status = 500;
  }
}
throw new CustomError('with properties');
