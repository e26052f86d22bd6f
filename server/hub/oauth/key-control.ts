import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { HubServices } from '../services.ts'

export const keyRoutes: ControlRoutes<HubServices> = async (app, { deps: { keys } }) => {
  control(app, 'GET keys', async () => {
    const published = await keys.published()
    return {
      items: published.map((jwk, index) => ({
        kid: String(jwk.kid),
        state: index === 0 ? ('current' as const) : ('retired' as const),
        jwk: { ...jwk },
      })),
    }
  })
  control(app, 'POST keys/rotate', async ({ body }) => ({
    kid: await keys.rotate(body?.keepOld ?? true),
  }))
}
