package main

import (
	"maps"
	"runtime/debug"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

type gatesAnswer struct {
	Kubernetes string          `json:"kubernetes"`
	Gates      map[string]gate `json:"gates"`
}

type gate struct {
	Stage   string `json:"stage"`
	Default bool   `json:"default"`
	Locked  bool   `json:"locked"`
}

var stages = map[string]string{
	string(featuregate.PreAlpha):   "pre-alpha",
	string(featuregate.Alpha):      "alpha",
	string(featuregate.Beta):       "beta",
	string(featuregate.GA):         "GA",
	string(featuregate.Deprecated): "deprecated",
}

// current holds the gates of the question being answered.
var current map[string]bool

// setGates makes every gate what it is by default in this minor, then sets those of the question.
func setGates(gates map[string]bool) error {
	if maps.Equal(current, gates) {
		return nil
	}
	// A refused SetFromMap leaves its names behind, so a copy is asked first.
	if err := utilfeature.DefaultMutableFeatureGate.DeepCopyAndReset().SetFromMap(gates); err != nil {
		return err
	}
	if len(current) > 0 {
		for name := range utilfeature.DefaultMutableFeatureGate.GetAll() {
			if err := utilfeature.DefaultMutableFeatureGate.ResetFeatureValueToDefault(name); err != nil {
				return err
			}
		}
	}
	current = gates
	return utilfeature.DefaultMutableFeatureGate.SetFromMap(gates)
}

func listGates(head) (any, error) {
	gates := map[string]gate{}
	for name, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		gates[string(name)] = gate{stages[string(spec.PreRelease)], spec.Default, spec.LockToDefault}
	}
	return gatesAnswer{Kubernetes: kubernetesVersion(), Gates: gates}, nil
}

// kubernetesVersion tells which k8s.io/kubernetes was built in.
func kubernetesVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "k8s.io/kubernetes" {
			return module.Version
		}
	}
	return ""
}
