import { expect, test } from 'vitest'
import { fitsRoute } from '../../../../server/lab/faults/route-pattern.ts'

test.each([
  ['/api/jobs/{namespace}', '/api/jobs/alice', true],
  ['/api/jobs/{namespace}', '/api/jobs/alice/123', false],
  ['/api/jobs/{namespace}/{id}/cancel', '/api/jobs/alice/123/cancel', true],
  ['/api/jobs/{namespace}/{id}/cancel', '/api/jobs/alice/123/logs', false],
  ['/api/{types}/{namespace}/{name}/commit/{path}', '/api/models/a/b/commit/refs/pr/1', true],
  ['/{namespace}/{name}.git/info/refs', '/alice/model.git/info/refs', true],
  ['/api/{types}/*', '/api/models/a/b', true],
  ['/api/{types', '/api/{types', true],
])('a fault on %s and the path %s: %s', (route, path, fits) => {
  expect(fitsRoute(route, path)).toBe(fits)
})
