import type { SeenRequest } from './evidence.ts'

/** Hex ids, UUIDs and numbers. */
const id = /\/(?:[0-9a-f]{24,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+)(?=\/|$)/gi

/**
 * Names what calls of the Hub have in common: the method and the path, without the names of repos, files and ids. A
 * mistake that an app makes with each of its repos is one mistake.
 */
export function kindOfCall({ record, path }: Pick<SeenRequest, 'record' | 'path'>): string {
  const kind = path
    .replace(/^(\/api\/(?:models|datasets|spaces|buckets))\/[^/]+\/[^/]+(\/[^/]+)?.*$/, '$1/*$2')
    .replace(/^(\/api\/(?:organizations|users))\/[^/]+/, '$1/*')
    .replace(/^(?:\/[^/]+){2,3}(\/(?:resolve|raw|blob|tree))\/.*$/, '/*$1')
    .replace(id, '/*')
  return `${record.method} ${kind}`
}
