import { describe, expect, test } from 'vitest'
import { readClientCredentials } from '../../../../server/hub/oauth/client-authentication.ts'

describe('client credentials (RFC 6749 §2.3.1)', () => {
  const basic = `Basic ${Buffer.from('an-app:a-secret').toString('base64')}`

  test('are read from the header or from the body', () => {
    expect(readClientCredentials(undefined, {})).toStrictEqual({ method: 'none' })
    expect(readClientCredentials(undefined, { client_id: 'an-app' })).toStrictEqual({
      clientId: 'an-app',
      method: 'none',
    })
    expect(
      readClientCredentials(undefined, { client_id: 'an-app', client_secret: 'a-secret' }),
    ).toStrictEqual({ clientId: 'an-app', clientSecret: 'a-secret', method: 'client_secret_post' })
    expect(readClientCredentials(basic, {})).toStrictEqual({
      clientId: 'an-app',
      clientSecret: 'a-secret',
      method: 'client_secret_basic',
    })
  })
})
