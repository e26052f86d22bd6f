import { expect, test } from 'vitest'
import { kindOfCall } from '../../../../server/lab/checks/kind-of-call.ts'

const kindOf = (path: string) =>
  kindOfCall({ path, record: { method: 'GET' } } as Parameters<typeof kindOfCall>[0])

test.each([
  ['/api/models', '/api/models'],
  ['/api/models/acme/tagger', '/api/models/*'],
  ['/api/models/acme/tagger/tree/main/weights', '/api/models/*/tree'],
  ['/api/datasets/acme/corpus/xet-read-token/main', '/api/datasets/*/xet-read-token'],
  ['/acme/tagger/resolve/main/a/b.bin', '/*/resolve'],
  ['/datasets/acme/corpus/resolve/main/a.csv', '/*/resolve'],
  ['/api/organizations/acme/billing/usage', '/api/organizations/*/billing/usage'],
  ['/api/papers/2307.09288', '/api/papers/2307.09288'],
  ['/api/collections/65f0c1d2e3a4b5c6d7e8f901/items', '/api/collections/*/items'],
  ['/api/jobs/7', '/api/jobs/*'],
  ['/oauth/token', '/oauth/token'],
])('calls of %s are called %s', (path, kind) => {
  expect(kindOf(path)).toBe(`GET ${kind}`)
})
