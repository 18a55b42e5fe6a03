/** Files that import each other in a circle. */
import type { Graph, Import } from './modules.ts'

/** The shortest circle in each group of such files (Tarjan's strongly connected components). */
export const circlesOf = (graph: Graph): Import[][] => {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const groups: Set<string>[] = []
  const visit = (path: string) => {
    index.set(path, index.size)
    low.set(path, index.get(path)!)
    stack.push(path)
    for (const { to } of graph.get(path) ?? []) {
      if (to === null || !graph.has(to)) continue
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(path, Math.min(low.get(path)!, low.get(to)!))
    }
    if (low.get(path) !== index.get(path)) return
    const group = new Set(stack.splice(stack.indexOf(path)))
    if (group.size > 1 || graph.get(path)!.some(({ to }) => to === path)) groups.push(group)
  }
  for (const path of graph.keys()) if (!index.has(path)) visit(path)

  return groups.map(group => wayAround(graph, group))
}

/** The shortest path from one file of a group back to itself. */
const wayAround = (graph: Graph, group: Set<string>): Import[] => {
  const start = [...group].toSorted()[0]!
  const ways: Import[][] = [[]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const step of graph.get(way.at(-1)?.to ?? start) ?? []) {
      if (step.to === start) return [...way, step]
      if (step.to === null || !group.has(step.to) || seen.has(step.to)) continue
      seen.add(step.to)
      ways.push([...way, step])
    }
  }
  return []
}
