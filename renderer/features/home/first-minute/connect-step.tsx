import { Link } from 'wouter'
import type { Overview } from '../../../../server/contract/control-health.ts'
import {
  type Framework,
  frameworkNames,
  frameworks,
} from '../../../../server/contract/words/sandbox-words.ts'
import { useRead } from '../../../api/query.ts'
import { useFramework } from '../../../lib/framework.ts'
import { buttonClass, IconButton } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy.tsx'
import { Select } from '../../../ui/select.tsx'
import { environmentText } from '../model/environment-text.ts'

/** The code of a framework, or the settings of any client. */
export function ConnectStep({ environment }: Pick<Overview, 'environment'>) {
  const [framework, choose] = useFramework()
  const clientId = environment['OAUTH_CLIENT_ID']
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
        {clientId === undefined ? (
          <CodeLink href="/apps?new" />
        ) : (
          <CodeLinkOfApp framework={framework} clientId={clientId} />
        )}
        <IconButton
          icon="copy"
          label="Copy the environment variables"
          onClick={() => void copyText(environmentText(environment, 'shell'), 'settings')}
        />
      </div>
    </>
  )
}

/** Leads to the app of the settings, or to the first one where that one cannot sign in with the framework. */
function CodeLinkOfApp({ framework, clientId }: { framework: Framework; clientId: string }) {
  const snippets = useRead('GET apps/:clientId/snippets', { params: { clientId } })
  const [first] = useRead('GET apps', { query: { limit: 1 } }).data?.items ?? []
  const snippet = snippets.data?.items.find((item) => item.framework === framework)
  const hindrance = snippet?.unsuited ?? snippet?.refusedBecause
  const id = hindrance === undefined ? clientId : (first?.clientId ?? clientId)
  return <CodeLink href={`/apps/${encodeURIComponent(id)}`} />
}

function CodeLink({ href }: { href: string }) {
  return (
    <Link href={href} className={buttonClass('primary')}>
      Show the code
    </Link>
  )
}
