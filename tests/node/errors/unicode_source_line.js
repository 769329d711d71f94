const name = 'žluťoučký 日本'; throw new Error('ünï');
