export interface Limit {
  perMinute: number;
  burst: number;
}

export const DEFAULT_LIMIT: Limit = { perMinute: 120, burst: 20 };

export function allows(limit: Limit, used: number): boolean {
  return used < limit.perMinute + limit.burst;
}
