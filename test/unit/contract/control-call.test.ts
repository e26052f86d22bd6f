import { describe, expect, expectTypeOf, test } from 'vitest'
import type { AppItem, AppList, AppSecret } from '../../../server/contract/control-apps.ts'
import type {
  ControlArguments,
  ControlCall,
  ControlItem,
  ControlLine,
  ControlListKey,
} from '../../../server/contract/control-call.ts'
import type { DeliveryItem } from '../../../server/contract/control-deliveries.ts'
import { controlRequest } from '../../../server/contract/control-request.ts'

describe('what is sent for a call of the control API', () => {
  test('is in the key where nothing more is said', () => {
    expect(controlRequest('POST reset')).toEqual({ method: 'POST', path: 'reset', headers: {} })
  })

  test('has what the path takes in its place, whatever is in it', () => {
    const url = 'https://app.example/client?a=b#c'
    expect(controlRequest('GET client-metadata-documents/:url', { params: { url } }).path).toBe(
      'client-metadata-documents/https%3A%2F%2Fapp.example%2Fclient%3Fa%3Db%23c',
    )
    expect(controlRequest('DELETE apps/:clientId/secret', { params: { clientId: 'a/b' } })).toEqual(
      { method: 'DELETE', path: 'apps/a%2Fb/secret', headers: {} },
    )
    expect(controlRequest('GET repos/*', { params: { '*': 'spaces/a/b' } }).path).toBe(
      'repos/spaces%2Fa%2Fb',
    )
  })

  test('leaves out what is not given of a query', () => {
    const query = { limit: 7, cursor: undefined, path: '/oauth/token?a=b&c', refused: '1' } as const
    expect(controlRequest('GET requests', { query }).path).toBe(
      'requests?limit=7&path=%2Foauth%2Ftoken%3Fa%3Db%26c&refused=1',
    )
    expect(controlRequest('GET requests', { query: { cursor: undefined } }).path).toBe('requests')
  })

  test('has the body as it was given, and headers that were', () => {
    const body = { event: 'repo.content', repo: 'acme/corpus' }
    expect(controlRequest('POST events', { body, headers: { 'idempotency-key': 'k' } })).toEqual({
      method: 'POST',
      path: 'events',
      headers: { 'idempotency-key': 'k' },
      body,
    })
    expect(controlRequest('POST events', { body, headers: {} }).headers).toEqual({})
  })
})

// Held by the compiler; nothing here is run.
describe('the types of a call of the control API', () => {
  type Arguments<K extends Parameters<ControlCall>[0]> = ControlArguments<K>
  const called = (call: ControlCall) => ({
    apps: call('GET apps'),
    secret: call('POST apps/:clientId/secret', { params: { clientId: 'a' } }),
    // @ts-expect-error There is no such endpoint.
    unknown: call('GET app'),
    // @ts-expect-error The filter is called `path`.
    misspelt: call('GET requests', { query: { way: '/oauth/token' } }),
    // @ts-expect-error Nothing can be said.
    chatty: call('GET overview', { query: {} }),
    // @ts-expect-error Which app?
    vague: call('GET apps/:clientId'),
    // @ts-expect-error Whose consent, and for which app?
    empty: call('DELETE consents', { query: {} }),
    // @ts-expect-error A rule says what it concerns.
    bodiless: call('POST faults', { body: {} }),
  })
  type Called = ReturnType<typeof called>

  test('have the answer from the table', () => {
    expectTypeOf<Called['apps']>().resolves.toEqualTypeOf<AppList>()
    expectTypeOf<Called['secret']>().resolves.toEqualTypeOf<AppSecret>()
    expectTypeOf<ControlItem<'GET apps'>>().toEqualTypeOf<AppItem>()
    expectTypeOf<ControlLine<'GET deliveries'>>().toEqualTypeOf<DeliveryItem>()
  })

  test('ask for what an endpoint needs, and for no more', () => {
    expectTypeOf<Arguments<'GET overview'>>().toEqualTypeOf<[]>()
    expectTypeOf<[]>().toExtend<Arguments<'GET requests'>>()
    expectTypeOf<[]>().toExtend<Arguments<'POST keys/rotate'>>()
    expectTypeOf<[{ body: { order: readonly string[] }; params: { id: string } }]>().toExtend<
      Arguments<'POST barriers/:id/release'>
    >()
  })

  test('know which lists come page by page', () => {
    expectTypeOf<'GET jobs'>().toExtend<ControlListKey>()
    expectTypeOf<'GET faults'>().not.toExtend<ControlListKey>()
    expectTypeOf<'GET jobs/:id'>().not.toExtend<ControlListKey>()
  })
})
