{
		throw new Error('tabs');
}
