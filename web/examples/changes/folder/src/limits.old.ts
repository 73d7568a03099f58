export const LIMIT = 60;
