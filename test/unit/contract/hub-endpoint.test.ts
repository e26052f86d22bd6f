import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type HubEndpoint, pathsOf } from '../../../server/contract/hub-endpoint.ts'

const row = (params: HubEndpoint['params'] = {}): HubEndpoint => ({
  tag: 't',
  summary: 's',
  params,
})
const paths = (key: string, endpoint = row()) =>
  pathsOf(key, endpoint).map(({ url, params }) => [url, Object.keys(params.properties)])

describe('the paths of an endpoint', () => {
  test.each([
    ['GET /api/whoami-v2', [['/api/whoami-v2', []]]],
    [
      'GET /api/:repo/refs',
      [
        [
          '/api/:types(models|datasets|spaces)/:namespace/:name/refs',
          ['types', 'namespace', 'name'],
        ],
      ],
    ],
    ['GET /api/:types', [['/api/:types(models|datasets|spaces)', ['types']]]],
    [
      'GET /:repo/raw/*',
      [
        ['/:namespace/:name/raw/*', ['namespace', 'name']],
        ['/:types(datasets|spaces)/:namespace/:name/raw/*', ['types', 'namespace', 'name']],
      ],
    ],
  ])('of %s', (key, expected) => {
    expect(paths(key)).toEqual(expected)
  })

  test('have their own parameters, of which integers match digits only', () => {
    const endpoint = row({ num: Type.Integer(), commentId: Type.String() })
    expect(paths('POST /api/:repo/discussions/:num/comment/:commentId', endpoint)).toEqual([
      [
        String.raw`/api/:types(models|datasets|spaces)/:namespace/:name/discussions/:num(\d+)/comment/:commentId`,
        ['types', 'namespace', 'name', 'num', 'commentId'],
      ],
    ])
  })
})
