import { Link } from 'wouter'
import type { Overview } from '../../../../server/contract/control-health.ts'
import { frameworkNames, frameworks } from '../../../../server/contract/words/sandbox-words.ts'
import { useRead } from '../../../api/query.ts'
import { useFramework } from '../../../lib/framework.ts'
import { buttonClass, IconButton } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy.tsx'
import { Select } from '../../../ui/select.tsx'
import { environmentText } from '../model/environment-text.ts'

/** The code of a framework for the first app, or the settings of any client. */
export function ConnectStep({ environment }: Pick<Overview, 'environment'>) {
  const [framework, choose] = useFramework()
  const [app] = useRead('GET apps', { query: { limit: 1 } }).data?.items ?? []
  const href = app === undefined ? '/apps?new' : `/apps/${encodeURIComponent(app.clientId)}`
  return (
    <>
      <p className="pb-2">With the code of your framework, or by environment variables.</p>
      <div className="flex flex-wrap items-center gap-1.5">
        <Select
          label="Framework"
          value={framework}
          onChange={choose}
          options={frameworks.map((value) => ({ value, label: frameworkNames[value] }))}
        />
        <Link href={href} className={buttonClass('primary')}>
          Show the code
        </Link>
        <IconButton
          icon="copy"
          label="Copy the environment variables"
          onClick={() => void copyText(environmentText(environment, 'shell'), 'settings')}
        />
      </div>
    </>
  )
}
