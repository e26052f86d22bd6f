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
import { groupFindings, subjectOf } from './model/groups.ts'
import { words } from './words.ts'

/** Mistakes of apps and receivers, with the requests that prove them. */
export function ChecksPage() {
  const advice = useAdvice()
  return (
    <Page title={words.checks} lead={words.lead} actions={<ReportMenu read={readAdviceReport} />}>
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
  const all = groupFindings(advice.items)
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
            label={words.subject}
            className="max-w-72"
            value={subject}
            onChange={setSubject}
            options={[
              { value: '', label: words.allSubjects },
              ...all
                .filter(({ key }) => key !== '')
                .map(({ key, name }) => ({ value: key, label: name })),
            ]}
          />
          {ignored > 0 && (
            <Switch checked={withIgnored} onChange={setWithIgnored}>
              {words.showIgnored} ({ignored})
            </Switch>
          )}
          <p className="text-xs text-muted">{words.judged(judged, advice.rules.length)}</p>
        </div>
      )}
      {shown.length === 0 ? (
        <NothingShown advice={advice} judged={judged} />
      ) : (
        <FindingList findings={shown} openId={opened} />
      )}
      {advice.omitted > 0 && <p className="text-sm text-muted">{words.omitted(advice.omitted)}</p>}
      {advice.paused > 0 && <p className="text-sm text-muted">{words.paused(advice.paused)}</p>}
      <UselessIgnores ignores={advice.ignores} />
      <Panel title={words.allChecks} lead={words.allChecksLead} flush>
        <RuleTable advice={advice} />
      </Panel>
    </div>
  )
}

function NothingShown({ advice, judged }: { advice: Advice; judged: number }) {
  if (judged === 0) {
    return (
      <Panel flush>
        <Empty icon="check" title={words.nothing}>
          {words.nothingHint}
        </Empty>
      </Panel>
    )
  }
  return (
    <Panel flush>
      <Empty icon="check" title={advice.items.length === 0 ? words.clean : words.allIgnored}>
        {words.cleanHint(judged, advice.rules.length)}
      </Empty>
    </Panel>
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
          {words.usedNowhere}: <span className="font-mono">{rule}</span> ({reason})
        </li>
      ))}
    </ul>
  )
}
