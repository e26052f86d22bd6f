import type { Advice } from '../../../server/contract/control-advice.ts'
import { readAdviceReport, useAdvice } from '../../api/advice.ts'
import { useFlag, useParameter } from '../../lib/parameters.ts'
import { QueryView } from '../../shared/query-view.tsx'
import { ReportMenu } from '../../shared/report-menu.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Empty } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { FindingList } from './list/finding-list.tsx'
import { RuleTable } from './list/rule-table.tsx'
import { useWebhookName } from '../../api/webhooks.ts'
import { groupFindings, subjectOf } from './model/groups.ts'
import { words } from './words.ts'

/** Mistakes of apps and receivers, with the requests that prove them. */
export function FindingsPage() {
  const advice = useAdvice()
  return (
    <Page
      title="Findings"
      lead="Mistakes of apps and receivers that the recorded requests and deliveries show."
      actions={<ReportMenu read={readAdviceReport} />}
    >
      <QueryView query={advice} what="checks">
        {(data) => <Findings advice={data} />}
      </QueryView>
    </Page>
  )
}

function Findings({ advice }: { advice: Advice }) {
  const [subject, setSubject] = useParameter('subject')
  const [withIgnored, setWithIgnored] = useFlag('ignored')
  const [opened] = useParameter('finding')
  const all = groupFindings(advice.items, useWebhookName())
  const shown = advice.items.filter(
    (finding) =>
      (withIgnored || finding.ignored === undefined || finding.id === opened) &&
      (subject === '' || subjectOf(finding).key === subject),
  )
  const ignored = advice.items.length - advice.items.filter((item) => !item.ignored).length
  const judged = advice.rules.filter((rule) => rule.judged > 0).length
  return (
    <div className="flex flex-col gap-5">
      {advice.items.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <Select
            label="App or webhook"
            className="max-w-72"
            value={subject}
            onChange={setSubject}
            options={[
              { value: '', label: 'All apps and webhooks' },
              ...all
                .filter(({ key }) => key !== '')
                .map(({ key, name }) => ({ value: key, label: name })),
            ]}
          />
          {ignored > 0 && (
            <Switch checked={withIgnored} onChange={setWithIgnored}>
              Show ignored ({ignored})
            </Switch>
          )}
          <p className="text-xs text-muted">{`${judged} of ${advice.rules.length} checks had something to judge`}</p>
        </div>
      )}
      {shown.length === 0 ? (
        <NothingShown advice={advice} judged={judged} />
      ) : (
        <FindingList findings={shown} openId={opened} />
      )}
      {advice.omitted > 0 && (
        <p className="text-sm text-muted">{`${advice.omitted} more findings are not shown.`}</p>
      )}
      {advice.paused > 0 && (
        <p className="text-sm text-muted">{`${advice.paused} request${advice.paused === 1 ? '' : 's'} came in a pause, which is not judged.`}</p>
      )}
      <UselessIgnores ignores={advice.ignores} />
      <Panel
        title={words.allChecks}
        lead="What each check looks for, and how often it had something to judge."
        flush
      >
        <RuleTable advice={advice} />
      </Panel>
    </div>
  )
}

function NothingShown({ advice, judged }: { advice: Advice; judged: number }) {
  if (judged === 0) {
    return (
      <Empty icon="check" title="Nothing to check yet">
        Send a request of an app to the sandbox, or trigger an event with a webhook.
      </Empty>
    )
  }
  return (
    <Empty
      icon="check"
      title={advice.items.length === 0 ? 'No mistakes found' : 'All findings are ignored'}
    >
      {`${judged} of ${advice.rules.length} checks had something to judge.`}
    </Empty>
  )
}

/** An ignore that matches nothing hides what may come back. */
function UselessIgnores({ ignores }: Pick<Advice, 'ignores'>) {
  const useless = ignores.filter(({ findings }) => findings === 0)
  if (useless.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
      {useless.map(({ id, rule, reason }) => (
        <li key={id}>
          An ignore that matches no finding: <span className="font-mono">{rule}</span> ({reason})
        </li>
      ))}
    </ul>
  )
}
