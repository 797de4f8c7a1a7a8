// Oracle answers questions about DRA objects with the code of one Kubernetes minor.
//
// In: one JSON question a line. Out: one JSON answer a line, in the same order. README.md describes both.
// It judges nothing itself and keeps nothing from one question to the next, so any order gives the same answers.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"k8s.io/klog/v2"
)

// head is what every question has.
type head struct {
	Op    string          `json:"op"`
	Gates map[string]bool `json:"gates"`
}

func (h head) gates() map[string]bool { return h.Gates }

// refusal answers a question that could not be asked of the real code, or that made it panic.
type refusal struct {
	QuestionError string `json:"questionError,omitempty"`
	Panic         string `json:"panic,omitempty"`
	Stack         string `json:"stack,omitempty"`
}

var operations = map[string]func([]byte) (any, error){
	"allocate": operation(allocate),
	"cel":      operation(evaluate),
	"create":   operation(create),
	"gates":    operation(listGates),
}

// operation reads the question and sets its gates before it is answered.
func operation[Q interface{ gates() map[string]bool }](answer func(Q) (any, error)) func([]byte) (any, error) {
	return func(line []byte) (any, error) {
		var question Q
		if err := unmarshalStrict(line, &question); err != nil {
			return nil, err
		}
		if err := setGates(question.gates()); err != nil {
			return nil, err
		}
		return answer(question)
	}
}

func unmarshalStrict(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("more than one JSON value on a line")
	}
	return nil
}

func answer(line []byte) (result any) {
	defer func() {
		if problem := recover(); problem != nil {
			result = refusal{Panic: fmt.Sprint(problem), Stack: string(debug.Stack())}
		}
	}()
	var question head
	if err := json.Unmarshal(line, &question); err != nil {
		return refusal{QuestionError: err.Error()}
	}
	operate, ok := operations[question.Op]
	if !ok {
		return refusal{QuestionError: fmt.Sprintf("unknown op %q", question.Op)}
	}
	result, err := operate(line)
	if err != nil {
		return refusal{QuestionError: err.Error()}
	}
	return result
}

// serve answers until the questions end.
func serve(questions io.Reader, answers io.Writer) error {
	lines := bufio.NewReaderSize(questions, 1<<20)
	encoder := json.NewEncoder(answers)
	encoder.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := encoder.Encode(answer(line)); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}
