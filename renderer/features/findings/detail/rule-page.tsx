import type { Advice, AdviceRule } from '../../../../server/contract/control-advice.ts'
import { useAdvice } from '../../../api/advice.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { Code } from '../../../ui/code.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { FindingList } from '../list/finding-list.tsx'
import { useRules } from '../model/requests.ts'
import { words } from '../words.ts'
import { DetailPage, Mistake } from './detail-page.tsx'

/** A check: what it looks for, its fix and sources, and its findings. */
export function RulePage({ id }: { id: string }) {
  const rules = useRules()
  const advice = useAdvice()
  return (
    <DetailPage id={id}>
      <QueryView query={rules} what="this check">
        {({ items }) => {
          const rule = items.find((known) => known.id === id)
          if (rule === undefined) {
            // No reset deletes a check.
            return (
              <Empty icon="search" title="Unknown check">
                {`No check has the id ${id}.`}
              </Empty>
            )
          }
          return (
            <QueryView query={advice} what="its findings">
              {(data) => <Rule rule={rule} advice={data} />}
            </QueryView>
          )
        }}
      </QueryView>
    </DetailPage>
  )
}

function Rule({ rule, advice }: { rule: AdviceRule; advice: Advice }) {
  const { id, certainty, exceptions } = rule
  const findings = advice.items.filter((finding) => finding.rule === id)
  const judged = advice.rules.find((known) => known.id === id)?.judged ?? 0
  return (
    <div className="flex flex-col gap-5">
      <Panel title="What it looks for">
        <div className="flex flex-col gap-3">
          <Mistake
            mistake={rule}
            facts={[
              ['Certainty', words.certaintyOf[certainty]],
              [
                words.hadToJudge,
                judged === 0 ? 'nothing yet, so it has not passed' : words.times(judged),
              ],
              ...(exceptions.length === 0
                ? []
                : ([['Not reported if', exceptions.join('; ')]] as const)),
            ]}
          />
          <h3 className="eyebrow">{words.ignoreIn}</h3>
          <Code
            label={words.ignoreIn}
            text={JSON.stringify({ config: { advice: { ignore: [{ rule: id, reason: '…' }] } } })}
          />
        </div>
      </Panel>
      {findings.length > 0 && <FindingList findings={findings} />}
    </div>
  )
}
