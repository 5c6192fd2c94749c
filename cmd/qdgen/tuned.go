package main

import (
	"fmt"
	"io"
	"time"

	"github.com/qdgen/qd/cache"
	"github.com/qdgen/qd/internal/runtime/tune"
)

// listTuned is the command cache list --tuned.
func listTuned(out io.Writer, c *cache.Cache, asJSON bool, png string) error {
	list, err := tune.List(c)
	if err != nil {
		return err
	}
	if png != "" {
		if err := drawTuned(list, png); err != nil {
			return err
		}
	}
	if asJSON {
		return printJSON(out, list)
	}
	return printTuned(out, c.Dir(), list)
}

// printTuned prints tables for people.
func printTuned(out io.Writer, dir string, list []tune.Listed) error {
	if len(list) == 0 {
		_, err := fmt.Fprintf(out, "Nothing has been tuned in %s\n", dir)
		return err
	}
	for i, l := range list {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if _, err := fmt.Fprintf(out, "%s\n", tunedTitle(l)); err != nil {
			return err
		}
		rows := table{{"CONFIGURATION", " TIME", " RUNS", " BEHIND", " AGE", ""}}
		for _, r := range l.Rows {
			row := []string{r.Config, formatTime(r.Time), fmt.Sprint(r.Runs), "", formatAge(time.Since(r.When)), ""}
			switch {
			case r.Skipped != "":
				row[1], row[2], row[5] = "-", "-", "left out: "+r.Skipped
			case r.Best:
				row[5] = "best"
			default:
				row[3] = fmt.Sprintf("%.2fx", float64(r.Time)/float64(l.Rows[0].Time))
			}
			rows = append(rows, row)
		}
		if err := rows.print(out); err != nil {
			return err
		}
	}
	return nil
}

// tunedTitle says what a table is about.
func tunedTitle(l tune.Listed) string {
	title := fmt.Sprintf("%s on %s (%s)", l.Kernel, l.Device, l.About)
	if l.Key != "" {
		title += " for " + l.Key
	}
	return title
}

// formatTime is a time of a run with three digits.
func formatTime(d time.Duration) string {
	for _, unit := range []struct {
		d    time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "us"}} {
		if d >= unit.d {
			return fmt.Sprintf("%.3g %s", float64(d)/float64(unit.d), unit.name)
		}
	}
	return fmt.Sprintf("%d ns", d.Nanoseconds())
}
