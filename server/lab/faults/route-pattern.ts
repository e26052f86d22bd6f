import { fitsPattern } from '../../contract/fits-pattern.ts'

const parameter = /\{[^{}/]*\}/g

/** Rewrites the parameters of an OpenAPI path as stars: `/api/jobs/{namespace}` becomes `/api/jobs/*`. */
export function withStars(route: string): string {
  return route.replaceAll(parameter, '*')
}

/**
 * Returns whether a path matches the route of a rule.
 * @param route path of the Hub; `*` matches any text, `{name}` one segment and a final `{path}` the rest, as in
 *   OpenAPI documents
 */
export function fitsRoute(route: string, path: string): boolean {
  const pattern = withStars(route)
  if (!fitsPattern(pattern, path)) return false
  const mayHaveMoreSegments = pattern === route || route.includes('*') || route.endsWith('/{path}')
  return mayHaveMoreSegments || route.split('/').length === path.split('/').length
}
