package main

import (
	"context"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apiserver/pkg/cel/environment"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

type celQuestion struct {
	head
	Expression string     `json:"expression"`
	New        bool       `json:"new"`
	Device     *celDevice `json:"device"`
}

type celDevice struct {
	Driver                   string                                                    `json:"driver"`
	Attributes               map[resourceapi.QualifiedName]resourceapi.DeviceAttribute `json:"attributes"`
	Capacity                 map[resourceapi.QualifiedName]resourceapi.DeviceCapacity  `json:"capacity"`
	AllowMultipleAllocations *bool                                                     `json:"allowMultipleAllocations"`
}

type celAnswer struct {
	// CompileError is what the API server would say of the expression.
	CompileError *celError `json:"compileError"`
	OutputType   string    `json:"outputType,omitempty"`
	// Cost is the estimate that the API server compares with its limit, even when it is beyond the limit.
	Cost *uint64 `json:"cost,omitempty"`
	// Match, ActualCost and Error speak of the device of the question.
	Match      *bool   `json:"match,omitempty"`
	ActualCost *uint64 `json:"actualCost,omitempty"`
	Error      string  `json:"error,omitempty"`
}

type celError struct {
	Type   string `json:"type"`
	Detail string `json:"detail"`
}

func evaluate(question celQuestion) (any, error) {
	kind := environment.StoredExpressions
	if question.New {
		kind = environment.NewExpressions
	}
	compiler := dracel.GetCompiler(celFeatures(utilfeature.DefaultFeatureGate))
	compiled := compiler.CompileCELExpression(question.Expression, dracel.Options{EnvType: &kind})
	if compiled.Error != nil {
		return celAnswer{CompileError: &celError{string(compiled.Error.Type), compiled.Error.Detail}}, nil
	}
	answer := celAnswer{OutputType: compiled.OutputType.String(), Cost: &compiled.MaxCost}
	if question.Device != nil {
		answer.match(compiled, *question.Device)
	}
	return answer, nil
}

func (a *celAnswer) match(compiled dracel.CompilationResult, device celDevice) {
	matches, details, err := compiled.DeviceMatches(context.Background(), dracel.Device{
		Driver:                   device.Driver,
		Attributes:               device.Attributes,
		Capacity:                 device.Capacity,
		AllowMultipleAllocations: device.AllowMultipleAllocations,
	})
	if details != nil {
		a.ActualCost = details.ActualCost()
	}
	if err != nil {
		a.Error = explainCEL(err).Error()
		return
	}
	a.Match = &matches
}
