import { refresh, silent, stepUp } from './continued.ts'
import { device } from './device-demo.ts'
import { exchange } from './exchange-demo.ts'
import { mistakes } from './mistakes.ts'
import type { Scene, Script } from './scene.ts'
import { signIn } from './sign-in-demo.ts'
import { webhook } from './webhook-demo.ts'
import type { WholeRequest } from './whole-request.ts'

/** Returns the script of a demo; it chooses its app and user when it is played. */
export function scriptOf(
  scene: Scene,
  { kind, variant = 'redirect-uri' }: Pick<WholeRequest, 'kind' | 'variant'>,
): Script {
  if (kind === 'device') return device(scene)
  if (kind === 'exchange') return exchange(scene)
  if (kind === 'sign-in') return signIn(scene)
  if (kind === 'step-up') return stepUp(scene)
  if (kind === 'refresh') return refresh(scene, false)
  if (kind === 'silent') return silent(scene, false)
  if (kind === 'webhook' || kind === 'failing-webhook') {
    return webhook(scene, kind === 'failing-webhook')
  }
  if (variant === 'used-refresh-token') return refresh(scene, true)
  if (variant === 'login-required') return silent(scene, true)
  return variant === 'not-a-member' || variant === 'scope'
    ? exchange(scene, variant)
    : signIn(scene, mistakes[variant])
}
