import type { Rule } from './rule.ts'
import { apiRules } from './rules/api-rules.ts'
import { appRules } from './rules/app-rules.ts'
import { deviceRules } from './rules/device-rules.ts'
import { discoveryRules } from './rules/discovery-rules.ts'
import { exchangeRules } from './rules/exchange-rules.ts'
import { portabilityRules } from './rules/portability-rules.ts'
import { signInRules } from './rules/sign-in-rules.ts'
import { tokenRules } from './rules/token-rules.ts'
import { webhookRules } from './rules/webhook-rules.ts'

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
