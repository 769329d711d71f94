class ValidationError extends TypeError {}
throw new ValidationError('no name set');
