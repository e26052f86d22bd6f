import type { Rule } from './rule.ts'
import { apiRules } from './rules/api.ts'
import { appRules } from './rules/app.ts'
import { deviceRules } from './rules/device.ts'
import { discoveryRules } from './rules/discovery.ts'
import { exchangeRules } from './rules/exchange.ts'
import { portabilityRules } from './rules/portability.ts'
import { signInRules } from './rules/sign-in.ts'
import { tokenRules } from './rules/token.ts'
import { webhookRules } from './rules/webhook.ts'

/** All rules, in the order in which they are listed. */
export const rules: readonly Rule[] = [
  ...signInRules,
  ...tokenRules,
  ...apiRules,
  ...discoveryRules,
  ...exchangeRules,
  ...deviceRules,
  ...appRules,
  ...portabilityRules,
  ...webhookRules,
]
