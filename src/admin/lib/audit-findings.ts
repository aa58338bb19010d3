import type { AuditFinding } from "./contract"

/** Findings by their rule, in the order of the report. */
export function groupByRule(findings: readonly AuditFinding[]): Map<string, AuditFinding[]> {
  const groups = new Map<string, AuditFinding[]>()
  for (const finding of findings) {
    groups.set(finding.rule, [...(groups.get(finding.rule) ?? []), finding])
  }
  return groups
}
