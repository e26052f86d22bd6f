/** Kinds of requests, by path. */
export const requestKinds = ['oauth', 'api', 'inference', 'git', 'file', 'page'] as const
export type RequestKind = (typeof requestKinds)[number]

const patterns: readonly (readonly [RequestKind, RegExp])[] = [
  ['oauth', /^\/(?:oauth|\.well-known)(?:\/|$)/],
  ['git', /\/(?:info\/refs|git-(?:upload|receive)-pack|info\/lfs\/.*)$/],
  ['api', /^\/api(?:\/|$)/],
  [
    'inference',
    /^\/(?:v1\/(?:chat\/completions|embeddings|models)$|hf-inference\/|inference-endpoints\/)/,
  ],
  ['file', /\/(?:resolve|raw)\//],
]

/** @param path path, with or without a query */
export function requestKindOf(path: string): RequestKind {
  const [pathname = ''] = path.split('?', 1)
  return patterns.find(([, pattern]) => pattern.test(pathname))?.[0] ?? 'page'
}
