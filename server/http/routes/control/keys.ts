import { Type } from 'typebox'
import { KeyList, RotatedKey, RotateKeyRequest } from '../../../contract/control-sandbox.ts'
import { type ControlRoutes, refusals } from './plugin.ts'

const tags = ['keys']

export const keyRoutes: ControlRoutes = async (app, { deps: { keys } }) => {
  app.get(
    '/keys',
    {
      schema: {
        summary: 'The public signing keys, the present one first',
        tags,
        response: { 200: KeyList, ...refusals },
      },
    },
    async () => {
      const published = await keys.published()
      return {
        items: published.map((jwk, index) => ({
          kid: String(jwk.kid),
          state: index === 0 ? ('current' as const) : ('retired' as const),
          jwk: { ...jwk },
        })),
      }
    },
  )
  app.post(
    '/keys/rotate',
    {
      schema: {
        summary: 'Sign with a new key from now on',
        tags,
        body: Type.Optional(RotateKeyRequest),
        response: { 200: RotatedKey, ...refusals },
      },
    },
    async ({ body }) => ({ kid: await keys.rotate(body?.keepOld ?? true) }),
  )
}
