import { boundTargets } from './parsers/bounds.ts'
import { fileTargets } from './parsers/files.ts'
import { hubTargets } from './parsers/hub.ts'
import { oauthTargets } from './parsers/oauth.ts'
import { wordTargets } from './parsers/words.ts'
import { xetTargets } from './parsers/xet.ts'
import { requestTargets } from './requests/targets.ts'
import type { Target } from './target.ts'

/** All that reads what comes from outside. Small functions with a property test of their own are left to it. */
export const targets: readonly Target[] = [
  ...wordTargets,
  ...oauthTargets,
  ...hubTargets,
  ...xetTargets,
  ...boundTargets,
  ...fileTargets,
  ...requestTargets,
]
